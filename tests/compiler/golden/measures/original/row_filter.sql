/* kanon: original values */
SELECT
  qi,
  original
FROM (
  SELECT
    CAST(0 AS BIGINT) AS qi,
    SUM(
      CAST(o.n AS DECIMAL(19, 0)) * CAST(CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS DECIMAL(19, 0))
    ) AS original
  FROM (
    SELECT
      s."age" AS ground,
      COUNT(*) AS n
    FROM (
      SELECT
        *
      FROM "warehouse"."main"."patients"
      WHERE
        admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
    ) AS s
    GROUP BY
      s."age"
  ) AS o
  UNION ALL
  SELECT
    CAST(1 AS BIGINT) AS qi,
    SUM(
      CAST(o.n AS DECIMAL(19, 0)) * CAST(CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS DECIMAL(19, 0))
    ) AS original
  FROM (
    SELECT
      s."zip" AS ground,
      COUNT(*) AS n
    FROM (
      SELECT
        *
      FROM "warehouse"."main"."patients"
      WHERE
        admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
    ) AS s
    GROUP BY
      s."zip"
  ) AS o
) AS u
ORDER BY
  qi
