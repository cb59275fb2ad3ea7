/* kanon: labels per level of age */
SELECT
  COUNT(DISTINCT "level_0") AS labels_0,
  COUNT(DISTINCT "level_1") AS labels_1,
  COUNT(DISTINCT "level_2") AS labels_2,
  COUNT(DISTINCT "level_3") AS labels_3
FROM "kanon_map_age"
