SELECT
  CASE
    WHEN l.level = l.height
    THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
  END AS leaf_loss,
  CASE
    WHEN l.level = l.height
    THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
  END AS null_loss,
  CASE
    WHEN l.level = l.height
    THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
  END AS placed_loss,
  CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT) AS most
FROM labels AS l, (
  SELECT
    CAST(ROUND(LN(GREATEST(o.n, 1)) / LN(2) * 17592186044416) AS BIGINT) AS original
  FROM originals AS o
) AS o
