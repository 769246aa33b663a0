while read -r word rest; do
  case $word in
    READY) echo OK ;;
    TURN) echo "MOVE -1 -1" ;;
    FINISH) exit 0 ;;
  esac
done
