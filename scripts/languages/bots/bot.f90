program bot
  implicit none
  character(len=256) :: line
  integer :: end
  do
    read (*, '(a)', iostat=end) line
    if (end /= 0 .or. line(1:6) == 'FINISH') exit
    if (line(1:5) == 'READY') write (*, '(a)') 'OK'
    if (line(1:4) == 'TURN') write (*, '(a)') 'MOVE -1 -1'
    flush (6)
  end do
end program
