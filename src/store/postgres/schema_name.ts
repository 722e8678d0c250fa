/** Schema of the database that holds the store. */
export const SCHEMA = "platform_ads";
