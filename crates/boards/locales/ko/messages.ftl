# Messages of the host.
messages-title = 메시지
messages-none = 아직 메시지가 없습니다.
messages-new = 새 메시지
messages-to = 받는 사람
messages-all = 전체
messages-of = { $title } 참가자
messages-account = 또는 한 사람에게 보내기(계정 이름)
messages-text = 내용
messages-send = 보내기
messages-sent = 보낸 메시지
messages-read = { $all }명 중 { $read }명 읽음
