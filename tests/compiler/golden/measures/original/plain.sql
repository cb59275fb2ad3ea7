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
    FROM "warehouse"."main"."patients" AS s
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
      CASE
        WHEN ISNAN(s."weight")
        THEN CAST('nan' AS DOUBLE)
        WHEN s."weight" = 0
        THEN CAST(0 AS DOUBLE)
        ELSE s."weight"
      END AS ground,
      COUNT(*) AS n
    FROM "warehouse"."main"."patients" AS s
    GROUP BY
      CASE
        WHEN ISNAN(s."weight")
        THEN CAST('nan' AS DOUBLE)
        WHEN s."weight" = 0
        THEN CAST(0 AS DOUBLE)
        ELSE s."weight"
      END
  ) AS o
) AS u
ORDER BY
  qi
