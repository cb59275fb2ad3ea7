/* kanon: values of from that the order lacks */
WITH present AS (
  SELECT DISTINCT
    CAST(s."from" AS TEXT) AS value
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
), listed AS (
  SELECT
    UNNEST(FROM_JSON($listed, '["VARCHAR"]')) AS value
)
SELECT
  p.value,
  COUNT(*) OVER () AS distinct_values
FROM present AS p
LEFT JOIN listed AS l
  ON p.value = l.value
WHERE
  NOT p.value IS NULL AND l.value IS NULL
ORDER BY
  p.value
LIMIT $shown
-- $listed = "[\"a\\\"b\", \"select\", \"größe\", \"Marital Status\", \"t\\\"; drop table patients; --\"]"
-- $shown = 6
