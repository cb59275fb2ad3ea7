/* kanon: original values of age */
SELECT
  SUM(
    CAST(o.n AS DECIMAL(19, 0)) * CAST(CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS DECIMAL(19, 0))
  ) AS original
FROM (
  SELECT
    s."age" AS ground,
    COUNT(*) AS n
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."age"
) AS o
