/** Messages that people want to be reminded of. */
export const sql = `
create table reminders (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  content text not null,
  rendered_content text not null,
  delivery_at bigint not null,
  failed boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index reminders_of_user on reminders (organization_id, user_id, delivery_at);
create index reminders_due on reminders (delivery_at) where not failed;
`
