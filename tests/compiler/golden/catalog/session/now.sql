/* kanon: session */
SELECT
  CURRENT_DATABASE() AS catalog,
  CURRENT_SCHEMA() AS schema,
  TXID_CURRENT() AS transaction_id
