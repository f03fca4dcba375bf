import { call } from '@parley/client'
import { channels, users } from '@parley/server/contract'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { timeAgo, currentTimeIn, fullDate } from '../../../kernel/time.ts'
import { trustHtml } from '../../../platform/dom/html.ts'
import { Link } from '../../../platform/dom/link.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { channelName, subscriptionTo } from '../../channels/state.ts'
import { ChannelSign } from '../../places/title.tsx'
import { lastSeen, presenceOf } from '../../presence/state.ts'
import { openPerson } from '../card.ts'
import { fieldsOf, idsIn, type FilledField } from '../profile.ts'
import { ownId, userById, userName } from '../state.ts'
import { statusOf } from '../status.ts'
import { Avatar } from './avatar.tsx'
import { PresenceDot, StatusSign } from './signs.tsx'

export function PersonAbout({ userId }: { readonly userId: number }) {
  return (
    <>
      <Head userId={userId} />
      <PersonFacts userId={userId} />
    </>
  )
}

function Head({ userId }: { readonly userId: number }) {
  const person = userById(userId)
  const status = statusOf(userId)
  return (
    <div class="person-head">
      <span class="person-picture">
        <Avatar userId={userId} size={64} />
        <PresenceDot userId={userId} />
      </span>
      <div class="person-names">
        <strong>
          <bdi>{userName(userId)}</bdi>
        </strong>
        <span class="note">{[roleText(person), presenceText(userId)].filter((text) => text !== '').join(' · ')}</span>
        {status !== undefined && (
          <span class="person-status">
            <StatusSign userId={userId} />
            <bdi>{status.status_text ?? ''}</bdi>
          </span>
        )}
      </div>
    </div>
  )
}

function roleText(person: ReturnType<typeof userById>): string {
  if (person === undefined) return ''
  if (!person.is_active) return t().people.deactivated
  return person.is_bot ? t().people.bot : t().people.roles[person.role]
}

function presenceText(userId: number): string {
  const person = userById(userId)
  if (person === undefined || person.is_bot || !person.is_active) return ''
  const presence = presenceOf(userId)
  if (presence !== 'offline') return t().people[presence]
  const seen = lastSeen(userId)
  return seen === undefined ? '' : t().people.lastSeen(timeAgo(seen))
}

function PersonFacts({ userId }: { readonly userId: number }) {
  const person = userById(userId)
  const shared = useSharedChannels(userId)
  if (person === undefined) return null
  const { timezone, delivery_email: email, bot_owner_id: owner } = person
  return (
    <dl class="person-facts">
      {timezone !== '' && <Fact name={t().people.localTime}>{currentTimeIn(timezone)}</Fact>}
      {email !== null && !person.is_bot && (
        <Fact name={t().people.email}>
          <a href={`mailto:${email}`}>
            {/* Lets a long address break only here, if its parts fit. */}
            {email.slice(0, email.lastIndexOf('@'))}
            <wbr />
            {email.slice(email.lastIndexOf('@'))}
          </a>
        </Fact>
      )}
      {owner !== null && <Fact name={t().people.owner}>{userName(owner)}</Fact>}
      <ProfileFields userId={userId} />
      {shared !== undefined && shared.length > 0 && (
        <Fact name={t().people.shared}>
          <span class="person-channels">
            {shared.map((channelId) => (
              <Link key={channelId} to={{ view: 'channel', channelId }}>
                <ChannelSign channelId={channelId} />
                <bdi>{channelName(channelId)}</bdi>
              </Link>
            ))}
          </span>
        </Fact>
      )}
    </dl>
  )
}

function useSharedChannels(userId: number): readonly number[] | undefined {
  const [shared, setShared] = useState<readonly number[]>()
  useEffect(() => {
    if (userId === ownId()) return undefined
    const aborter = new AbortController()
    call(SESSION, channels.getUserChannels, { user_id: userId }, { signal: aborter.signal }).then(
      ({ subscribed_channel_ids: ids }) => setShared(ids.filter((id) => subscriptionTo(id)?.is_archived === false)),
      // If the request fails, the card omits the channels.
      () => undefined,
    )
    return () => aborter.abort()
  }, [userId])
  return shared
}

function ProfileFields({ userId }: { readonly userId: number }) {
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
      return <>{fullDate(Date.parse(`${value}T12:00`) / 1000)}</>
    case users.FIELD_TYPE.link:
    case users.FIELD_TYPE.externalAccount:
      return address === undefined ? <bdi>{value}</bdi> : <ExternalLink address={address}>{value}</ExternalLink>
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

function ExternalLink({ address, children }: { readonly address: string; readonly children: string }) {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
