/* kanon: values of seen that the order lacks */
WITH present AS (
  SELECT DISTINCT
    CASE
      WHEN ISFINITE(s."seen")
      THEN CAST(s."seen" AT TIME ZONE 'UTC' AS TEXT) || '+00'
      ELSE CAST(s."seen" AS TEXT)
    END AS value
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."patients"
    WHERE
      admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
  ) AS s
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
-- $listed = "[\"a\"]"
-- $shown = 6
