/* kanon: odd values of dia”gnosis */
SELECT
  COUNT(*) FILTER(WHERE
    s."dia""gnosis" IS NULL) AS null_rows,
  0 AS infinite_rows
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
