SELECT
  l.leaves - 1 AS leaf_loss,
  CASE WHEN l.level = l.height THEN GREATEST(l.all_leaves - 1, 1) ELSE 0 END AS null_loss,
  GREATEST(l.all_leaves - 1, 0) AS placed_loss,
  GREATEST(l.all_leaves - 1, 1) AS most
FROM labels AS l
