# Rules that a host uploads.
own-games-title = 직접 만든 게임
own-games-hint = { $page } 문서의 설명대로 만든 규칙을 올리세요. { $check } 명령과 똑같이 검사하며, 사이트를 다시 시작하면 순위표가 있는 게임이 됩니다.
own-games-file = 파일 이름(비워 두면 아래에서 고른 파일의 이름)
own-games-choose = 규칙 파일을 고르거나 여기에 놓으세요
own-games-example = 예: othello.py
own-games-source = 또는 여기에 프로그램 하나를 붙여 넣으세요
own-games-limits = 파일은 하나에 { $size } KiB까지, 모두 { $most }개까지 올릴 수 있습니다. 규칙은 격리된 환경에서 실행됩니다. 규칙의 오류로 중단된 경기는 어느 프로그램의 책임도 아닙니다.
own-games-upload = 검사하고 저장
own-games-kept = 규칙이 검사를 통과해 저장되었습니다. 사이트를 다시 시작하면 게임이 열립니다.
own-games-name = 파일 이름은 영문자, 숫자, -, _로 쓰고 언어에 맞는 확장자를 붙이세요. 예: othello.py
own-games-empty = 규칙이 비어 있습니다. 파일을 고르거나 규칙을 붙여 넣으세요.
own-games-too-long = 규칙이 { $size } KiB를 넘습니다. 크기를 줄이세요.
own-games-known = 같은 이름의 규칙이 이미 있습니다. 규칙이 달라지면 다른 게임이므로 다른 파일 이름을 쓰세요.
own-games-too-many = 사이트에 규칙 파일을 { $most }개까지 저장할 수 있습니다. 먼저 데이터의 “rules” 폴더에서 하나를 지우세요.
own-games-late = 검사가 { $seconds }초 안에 끝나지 않았습니다.
own-games-fails = 규칙이 검사를 통과하지 못했습니다.
own-games-no-moves = 규칙이 둘 수 있는 수를 나열하지 않습니다. 첫 참가자의 상대가 될 내장 프로그램에 필요합니다.
