/* kanon: class sizes of t”; drop table patients; -- */
WITH classes AS (
  SELECT
    COUNT(*) AS row_count,
    COUNT(DISTINCT "per""son") AS size
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
  GROUP BY
    "a""b",
    "select",
    "größe",
    "Marital Status",
    "t""; drop table patients; --"
)
SELECT
  size,
  COUNT(*) AS classes,
  CAST(SUM(row_count) AS BIGINT) AS row_count
FROM classes
GROUP BY
  size
ORDER BY
  size
