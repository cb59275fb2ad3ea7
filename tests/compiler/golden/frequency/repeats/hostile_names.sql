/* kanon: repeats */
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  COUNT(*) AS tuples
FROM (
  SELECT
    COUNT(*) AS row_count
  FROM (
    SELECT
      "a""b" AS value_0,
      "select" AS value_1,
      "größe" AS value_2,
      "Marital Status" AS value_3,
      "t""; drop table patients; --" AS value_4,
      "per""son" AS value_5
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
    LIMIT 50000
  ) AS s
  GROUP BY
    s.value_0,
    s.value_1,
    s.value_2,
    s.value_3,
    s.value_4,
    s.value_5
) AS t
