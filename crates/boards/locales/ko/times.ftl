# 시각이 얼마나 전이고 얼마나 뒤인지 짧게 적는 말.
ago-now = 방금
ago-seconds = { $count }초 전
ago-minutes = { $count }분 전
ago-hours = { $count }시간 전
ago-days = { $count }일 전
until-seconds = { $count }초 후
until-minutes = { $count }분 후
until-hours = { $count }시간 후
until-days = { $count }일 후
# 대회가 열려 있는 기간.
when-coming = { $opens } 시작({ $left })
when-coming-closes = { $opens } 시작({ $left }), { $closes } 마감
when-running = { $closes } 마감({ $left })
when-always = 상시 진행
when-closed = { $closes } 마감됨({ $since })
