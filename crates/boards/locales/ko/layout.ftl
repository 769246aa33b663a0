# 모든 페이지의 틀: 메뉴, 바닥글, 알림.
layout-skip = 본문 바로가기
layout-site = 사이트 메뉴
layout-read-only = 사이트가 잠시 읽기 전용입니다. 내용을 볼 수는 있지만 변경하거나 경기할 수는 없습니다.
layout-games = 경기
layout-play = 대국
layout-submit = 제출
layout-find = 프로그램·사람 검색
layout-find-placeholder = 프로그램 또는 사람
layout-host = 운영
layout-sign-out = 로그아웃
layout-sign-in = 로그인
layout-sign-up = 가입
layout-notices =
    { $count ->
       *[other] { "" }개의 알림
    }
layout-rules = 규칙
layout-finals = 결선
layout-search = 검색
layout-design = 디자인
layout-competitions = 대회
layout-queue = 대기열
layout-language = 언어
layout-start = 첫 페이지로
refused-guest = 초대를 받았다면 { $link }하세요. 참가자만 볼 수 있는 페이지도 있습니다.
refused-guest-link = 로그인
refused-address = 주소가 올바르지 않습니다. 빠진 내용이 있거나 읽을 수 없는 내용이 있습니다. 이전 페이지로 돌아가 사이트의 링크를 이용하세요.
layout-archive = 사이트를 보관한 사본입니다. 볼 수만 있으며 내용은 더 이상 바뀌지 않습니다.
layout-english-document = 각 요청의 자세한 설명은 영어로만 제공됩니다.
api-lead = 프로그램을 위한 전체 설명: { $document }. 셸에서는 { $submit } 명령으로 프로그램을 제출하고 검사를 지켜볼 수 있습니다.
api-document = OpenAPI 3.1 문서
api-in-full = 이 인터페이스 사용법
api-schemas = 스키마
api-problems = 오류 종류
api-problems-hint = 오류 응답의 { $name } 주소는 이 목록으로 연결됩니다.
