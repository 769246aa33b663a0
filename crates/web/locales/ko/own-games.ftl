# Rules that a host uploads.
own-games-title = 직접 만든 게임
own-games-hint = { $page }에 설명된 대로 쓴 규칙을 올리세요. { $check } 명령과 똑같이 검사하며, 사이트를 다시 시작하면 순위표가 있는 게임이 됩니다.
own-games-file = 파일 이름. 비워 두면 아래에서 고른 파일의 이름
own-games-choose = 규칙 파일을 고르거나 여기에 놓으세요
own-games-example = 예: othello.py
own-games-source = 또는 여기에 붙여 넣기, 프로그램 하나
own-games-limits = 파일 하나는 { $size } KiB까지, 모두 { $most }개까지입니다. 규칙은 격리된 환경에서 실행됩니다. 규칙이 망친 게임은 중단되며, 어떤 프로그램도 책임지지 않습니다.
own-games-upload = 검사하고 보관하기
own-games-kept = 규칙이 검사를 통과하여 보관되었습니다. 게임을 열려면 사이트를 다시 시작하세요.
own-games-name = 파일 이름은 영문자, 숫자, -, _로 쓰고 언어의 확장자를 붙이세요. 예: othello.py
own-games-empty = 규칙이 비어 있습니다.
own-games-too-long = 규칙이 { $size } KiB보다 깁니다.
own-games-known = 같은 이름의 규칙이 있습니다. 규칙이 바뀌면 다른 게임이므로 다른 파일 이름을 쓰세요.
own-games-too-many = 사이트는 규칙 파일을 { $most }개까지 보관합니다. 먼저 데이터의 “rules” 폴더에서 하나를 지우세요.
own-games-late = 검사가 { $seconds }초보다 오래 걸렸습니다.
own-games-fails = 규칙이 검사를 통과하지 못했습니다.
own-games-no-moves = 규칙이 가능한 수를 나열하지 않습니다. 처음 온 사람에게 상대가 있으려면 필요합니다.
