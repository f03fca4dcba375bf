/** A message keeps its first state and the newest hundred, of a million bytes in all. */
export const sql = `
create temporary table surplus on commit drop as
  select organization_id, message_id, position from (
    select organization_id, message_id, position,
      row_number() over (partition by organization_id, message_id order by position) as place,
      row_number() over (partition by organization_id, message_id order by position desc) as age,
      sum(octet_length(prev_content) + octet_length(prev_rendered_content))
        over (partition by organization_id, message_id order by position desc) as bytes
    from message_edits where prev_content is not null) state
  where place > 1 and (age > 100 or bytes > 1000000);
update message_edits e set prev_content = null, prev_rendered_content = null from surplus s
where e.organization_id = s.organization_id and e.message_id = s.message_id and e.position = s.position
and e.topic is not null;
delete from message_edits e using surplus s
where e.organization_id = s.organization_id and e.message_id = s.message_id and e.position = s.position
and e.topic is null;
drop table surplus;
`
