/* kanon: example of seen */
WITH commonest AS (
  SELECT
    s."seen" AS ground_value,
    COUNT(*) AS row_count
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."patients" AS s
    LIMIT 100000
  ) AS s
  WHERE
    NOT s."seen" IS NULL
  GROUP BY
    s."seen"
  HAVING
    COUNT(*) >= 5
  ORDER BY
    row_count DESC,
    ground_value
  LIMIT 1
)
SELECT
  CASE
    WHEN ISFINITE(c.ground_value)
    THEN CAST(c.ground_value AT TIME ZONE 'UTC' AS TEXT) || '+00'
    ELSE CAST(c.ground_value AS TEXT)
  END AS before,
  CASE
    WHEN ISFINITE(t."level_0")
    THEN CAST(t."level_0" AT TIME ZONE 'UTC' AS TEXT) || '+00'
    ELSE CAST(t."level_0" AS TEXT)
  END AS after
FROM commonest AS c
JOIN "kanon_map_seen" AS t
  ON c.ground_value IS NOT DISTINCT FROM t."level_0"
