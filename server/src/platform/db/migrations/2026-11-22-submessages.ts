/**
 * What users have added to messages, such as their votes in a poll. The id is the position of the event that
 * announced the submessage: the message's own position for the widget it was sent with.
 */
export const sql = `
create table submessages (
  organization_id bigint not null,
  id bigint not null,
  message_id bigint not null,
  sender_id bigint not null,
  msg_type text not null,
  content text not null,
  primary key (organization_id, id),
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade
);
create index submessages_of_message on submessages (organization_id, message_id, id);
`
