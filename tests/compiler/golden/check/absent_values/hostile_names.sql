/* kanon: values that * / drop table x; / * does not hold */
WITH present AS (
  SELECT DISTINCT
    CAST(s."*/ drop table x; /*" AS TEXT) AS value
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
), listed AS (
  SELECT
    UNNEST(FROM_JSON($listed, '["VARCHAR"]')) AS value
)
SELECT
  l.value
FROM listed AS l
LEFT JOIN present AS p
  ON p.value = l.value
WHERE
  p.value IS NULL
-- $listed = "[\"HIV\", \"it's */ drop table x; --\"]"
