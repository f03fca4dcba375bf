/** People whose accounts were made and who have not been greeted or announced yet. */
export const sql = `
create table newcomers (
  organization_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`
