/* kanon: what all rows lose */
SELECT
  l.qi,
  l.level,
  SUM(CAST(l.row_count AS DECIMAL(19, 0)) * CAST(l.loss AS DECIMAL(19, 0))) AS loss,
  MAX(l.null_loss - l.loss) AS null_more,
  MAX(l.placed_loss - l.loss) AS placed_more,
  MAX(l.most) AS most
FROM "kanon_labels_0" AS l
GROUP BY
  l.qi,
  l.level
ORDER BY
  l.qi,
  l.level
