/* kanon: original values of t”; drop table patients; -- */
SELECT
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
