SELECT
  *
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
