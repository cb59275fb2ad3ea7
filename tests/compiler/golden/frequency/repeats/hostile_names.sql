/* kanon: repeats */
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS row_count,
  COUNT(*) AS tuples
FROM (
  SELECT
    COUNT(*) AS row_count
  FROM (
    SELECT
      "a""b",
      "select",
      "größe",
      "Marital Status",
      "t""; drop table patients; --"
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
    LIMIT 50000
  ) AS s
  GROUP BY
    s."a""b",
    s."select",
    s."größe",
    s."Marital Status",
    s."t""; drop table patients; --"
) AS t
