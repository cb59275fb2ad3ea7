/* kanon: values of from that the reference lacks */
WITH present AS (
  SELECT
    s."from" AS value,
    COUNT(*) AS row_count
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  GROUP BY
    s."from"
)
SELECT
  COUNT(*) AS distinct_values,
  CAST(COALESCE(SUM(p.row_count), 0) AS BIGINT) AS row_count
FROM present AS p
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    WHERE
      s."from" IS NOT DISTINCT FROM p.value
  )
