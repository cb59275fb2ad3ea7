/* kanon: values of diagnosis that the reference lacks */
WITH present AS (
  SELECT
    s."diagnosis" AS value,
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients" AS s
  WHERE
    NOT s."diagnosis" IS NULL
  GROUP BY
    s."diagnosis"
)
SELECT
  COUNT(*) AS distinct_values,
  CAST(COALESCE(SUM(p.row_count), 0) AS BIGINT) AS row_count
FROM present AS p
WHERE
  NOT EXISTS(
    SELECT
      1
    FROM (
      SELECT
        *
      FROM "warehouse"."main"."everybody"
      WHERE
        admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
    ) AS s
    WHERE
      s."diagnosis" IS NOT DISTINCT FROM p.value
  )
