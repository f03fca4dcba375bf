/** The place of the database when a server last started on it: a copy that is put in its place is elsewhere. */
export const sql = `
create table database_place (
  is_only boolean primary key default true check (is_only),
  place text not null
);
`
