/* kanon: distinct values */
SELECT
  COUNT(DISTINCT "a""b") AS distinct_0,
  COUNT(DISTINCT "select") AS distinct_1,
  COUNT(DISTINCT "größe") AS distinct_2,
  COUNT(DISTINCT "Marital Status") AS distinct_3,
  COUNT(DISTINCT "t""; drop table patients; --") AS distinct_4
FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
