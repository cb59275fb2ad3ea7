/* kanon: files */
SELECT
  COUNT(*) AS files
FROM GLOB('it''s; drop/*.csv')
