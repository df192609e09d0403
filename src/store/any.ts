// The one place where row types are left open: boot and the migrations hold a store whose tables they do not know. Each owner of
// tables takes a `Store<ItsTables>`, which accepts this one.
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own word for "any tables"
export type AnyTables = any;
