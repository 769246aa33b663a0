# Lists of people.
roster-title = 참가자 목록
roster-names = 이름을 한 줄에 하나씩, 또는 첫 열이 이름, 둘째 열이 그룹인 CSV
roster-example = 김철수
roster-hint = 이름마다 계정을 만들어 이 대회에 참가시키고, 한 사람에 하나씩 링크를 한 번 보여 줍니다. 인쇄해서 나눠 주세요. 30일 안에 링크를 열면 비밀번호를 정할 수 있습니다. 이름은 { $most }개까지입니다.
roster-make = 계정 만들기
roster-made = 계정 { $count }개를 준비했습니다. 링크는 지금 한 번만 보여 드리니 이 페이지를 인쇄하세요.
roster-back = 대회로 돌아가기
roster-people = 참가자와 그룹
roster-none = 아직 아무도 없습니다.
roster-name = 이름
roster-programs = 프로그램
roster-since = 참가한 때
roster-group = 그룹
roster-group-of = { $name }의 그룹
roster-save = 그룹 저장
roster-groups-hint = 순위표를 그룹별로 볼 수 있고, 결승전을 그룹마다 한 부로 나눌 수 있습니다. 그룹은 누구에게나 보입니다.
