import { users } from '@parley/server/contract'
import { trustHtml } from '../../../platform/dom/html.ts'
import { openPerson } from '../card.ts'
import { fieldsOf, idsIn, type FilledField } from '../profile.ts'
import { userName } from '../state.ts'
import { wholeDate } from '../../../kernel/time.ts'
import { Fact } from './fact.tsx'

export function ProfileFields({ userId }: { readonly userId: number }) {
  return (
    <>
      {fieldsOf(userId).map((field) => (
        <Fact key={field.id} name={field.name}>
          <FieldValue field={field} />
        </Fact>
      ))}
    </>
  )
}

function FieldValue({ field: { type, value, html, choices, address } }: { readonly field: FilledField }) {
  if (html !== undefined) return <div class="content" dangerouslySetInnerHTML={trustHtml(html)} />
  switch (type) {
    case users.FIELD_TYPE.select:
      return <bdi>{choices.get(value) ?? value}</bdi>
    case users.FIELD_TYPE.date:
      return <>{wholeDate(Date.parse(`${value}T12:00`) / 1000)}</>
    case users.FIELD_TYPE.link:
    case users.FIELD_TYPE.externalAccount:
      return address === undefined ? <bdi>{value}</bdi> : <Outside address={address}>{value}</Outside>
    case users.FIELD_TYPE.users:
      return (
        <span class="person-channels">
          {idsIn(value).map((id) => (
            <button key={id} class="link-button" onClick={({ currentTarget }) => openPerson(currentTarget, id)}>
              {userName(id)}
            </button>
          ))}
        </span>
      )
    default:
      return <bdi>{value}</bdi>
  }
}

function Outside({ address, children }: { readonly address: string; readonly children: string }) {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
