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
      s."a""b" AS ground,
      COUNT(*) AS n
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    GROUP BY
      s."a""b"
  ) AS o
  UNION ALL
  SELECT
    CAST(1 AS BIGINT) AS qi,
    SUM(
      CAST(o.n AS DECIMAL(19, 0)) * CAST(CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS DECIMAL(19, 0))
    ) AS original
  FROM (
    SELECT
      s."select" AS ground,
      COUNT(*) AS n
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    GROUP BY
      s."select"
  ) AS o
  UNION ALL
  SELECT
    CAST(2 AS BIGINT) AS qi,
    SUM(
      CAST(o.n AS DECIMAL(19, 0)) * CAST(CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS DECIMAL(19, 0))
    ) AS original
  FROM (
    SELECT
      s."größe" AS ground,
      COUNT(*) AS n
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    GROUP BY
      s."größe"
  ) AS o
  UNION ALL
  SELECT
    CAST(3 AS BIGINT) AS qi,
    SUM(
      CAST(o.n AS DECIMAL(19, 0)) * CAST(CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS DECIMAL(19, 0))
    ) AS original
  FROM (
    SELECT
      s."Marital Status" AS ground,
      COUNT(*) AS n
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    GROUP BY
      s."Marital Status"
  ) AS o
  UNION ALL
  SELECT
    CAST(4 AS BIGINT) AS qi,
    SUM(
      CAST(o.n AS DECIMAL(19, 0)) * CAST(CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS DECIMAL(19, 0))
    ) AS original
  FROM (
    SELECT
      s."t""; drop table patients; --" AS ground,
      COUNT(*) AS n
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    GROUP BY
      s."t""; drop table patients; --"
  ) AS o
) AS u
ORDER BY
  qi
