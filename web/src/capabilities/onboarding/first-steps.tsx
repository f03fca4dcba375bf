import { call, isEvent } from '@parley/client'
import { messages, recent } from '@parley/server/contract'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { loadSignedOutTexts, te } from '../../kernel/entrance-texts.ts'
import { t } from '../../kernel/strings.ts'
import { copyWithToast } from '../../platform/dom/clipboard.ts'
import { store, sync } from '../../platform/client.ts'
import { textOf } from '../../platform/dom/html.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Link } from '../../platform/dom/link.tsx'
import { afterPaint } from '../../platform/dom/painted.ts'
import { useRefusal } from '../../platform/overlay/refusal.tsx'
import { go } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { joinChannel } from '../channels/actions.ts'
import { mayJoin, mayRead } from '../channels/rights.ts'
import { allChannels, channelById, subscriptionTo } from '../channels/state.ts'
import { startTopic } from '../composer/actions.ts'
import { initialTopic, mayWriteTo } from '../composer/rights.ts'
import { focusComposer } from '../composer/state.ts'
import { findMemberLink, findOrCreateMemberLink } from '../invitations/actions.ts'
import { invitePeople } from '../invitations/open.ts'
import { reachabilityOf, reachabilityWarning } from '../invitations/reach.ts'
import { invitationMethods } from '../invitations/rights.ts'
import { maySendTo } from '../message-edits/rules.ts'
import { readPush, pushState, supportsPush, turnOnPush } from '../notifications/push.ts'
import { ChannelSign } from '../places/title.tsx'
import { presenceOf } from '../presence/state.ts'
import { QrCode } from '../second-factors/parts/application-secret.tsx'
import { PersonLabel } from '../users/parts/signs.tsx'
import { activePeople, isMutedUser, isOwner, ownId } from '../users/state.ts'
import { firstSteps } from './state.ts'
import './onboarding.css'

/** Time limit for requests: a slow server must not keep the inbox from appearing. */
const MAX_WAIT_MILLISECONDS = 3_000
const MAX_PEOPLE = 8
const MAX_CHANNELS = 3
const MAX_NEW_CHANNELS = 8

/** Returns an owner's checklist, the introduction for any other new person, or null. */
export async function firstStepsCard(): Promise<ComponentChildren> {
  const signal = AbortSignal.timeout(MAX_WAIT_MILLISECONDS)
  await loadSignedOutTexts()
  return isOwner() || firstSteps.read() !== undefined ? checklistCard(signal) : introductionCard(signal)
}

type Conversations = Awaited<ReturnType<typeof fetchConversations>>

async function fetchConversations(
  signal: AbortSignal,
  of: { readonly participated?: boolean; readonly channel_id?: number } = {},
) {
  const input = { ...of, muted: true, allow_empty_topic_name: true }
  return (await call(SESSION, recent.getRecentConversations, input, { signal })).conversations
}

async function checklistCard(signal: AbortSignal): Promise<ComponentChildren> {
  if (firstSteps.read() === undefined) void firstSteps.write([])
  // Offline, the checklist uses only the stored state.
  const [own, link] = await Promise.all([
    fetchConversations(signal, { participated: true }).catch((): Conversations => []),
    findMemberLink(signal).catch(() => undefined),
  ])
  const hasWritten = own.some(({ type }) => type === 'stream')
  if (!stepNames().every((name) => isStepDone(name, hasWritten))) return <Checklist known={{ hasWritten, link }} />
  void firstSteps.write('done')
  return null
}

interface CardProps {
  readonly title: string
  readonly dismissed: string
  readonly progress?: string
  readonly children: ComponentChildren
}

function Card({ title, dismissed, progress, children }: CardProps) {
  const id = useId()
  const dismiss = (): void => {
    const before = firstSteps.read()
    document.querySelector<HTMLElement>('#main')?.focus()
    void firstSteps.write('done')
    offerUndo(dismissed, async () => firstSteps.write(before))
  }
  return (
    <section class="first-steps" aria-labelledby={id}>
      <div class="first-steps-head">
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        {progress !== undefined && (
          <span class="note" role="status">
            {progress}
          </span>
        )}
        <button class="icon-button" aria-label={te().steps.dismiss} title={te().steps.dismiss} onClick={dismiss}>
          <Icon name="close" size={16} />
        </button>
      </div>
      {children}
    </section>
  )
}

type StepName = 'invite' | 'icon' | 'topic' | 'notifications' | 'apps'

function isNotificationBlocked(): boolean {
  return Notification.permission === 'denied'
}

function stepNames(): readonly StepName[] {
  // Browsers ask for notifications only on HTTPS and localhost.
  const canNotify = window.isSecureContext && 'Notification' in window && !isNotificationBlocked()
  return canNotify ? ['invite', 'icon', 'topic', 'notifications', 'apps'] : ['invite', 'icon', 'topic', 'apps']
}

function storedSteps(): readonly string[] {
  const kept = firstSteps.read()
  return kept === undefined || kept === 'done' ? [] : kept
}

function storeStep(name: StepName): void {
  if (!storedSteps().includes(name)) void firstSteps.write([...storedSteps(), name])
}

function isStepDone(name: StepName, hasWritten: boolean): boolean {
  if (storedSteps().includes(name)) return true
  if (name === 'invite') return activePeople.value.some(({ is_bot, user_id }) => !is_bot && user_id !== ownId())
  if (name === 'icon') return store().read('realm_icon_source') === 'U'
  if (name === 'topic') return hasWritten
  return name === 'notifications' && Notification.permission === 'granted'
}

function stepNote(name: StepName, address: string, isBlocked: boolean): string {
  const { more, notificationsBlocked } = te().steps
  if (name === 'notifications' && isBlocked) return notificationsBlocked
  return (name === 'invite' ? reachabilityWarning(address) : undefined) ?? more[name]
}

function Checklist({ known }: { readonly known: { readonly hasWritten: boolean; readonly link: string | undefined } }) {
  const [hasWritten, setWritten] = useState(known.hasWritten)
  const [isShowingApps, setShowingApps] = useState(false)
  const [isBlocked, setBlocked] = useState(false)
  const [refusal, run] = useRefusal()
  const appsId = useId()
  useEffect(
    () =>
      sync.listen((event) => {
        if (!isEvent(event, messages.messageSent)) return
        if (event.message.type === 'stream' && event.message.sender_id === ownId()) setWritten(true)
      }),
    [],
  )
  const { origin } = window.location
  const [names] = useState(stepNames)
  const done = names.filter((name) => isStepDone(name, hasWritten))
  const channelId = channelToWriteIn(busiestChannelIds([]))
  const runs: Readonly<Record<StepName, () => void>> = {
    invite: () => void run(async () => copyInvite(known.link)),
    icon: () => go({ view: 'settings', section: 'organization' }),
    topic: () => (channelId === undefined ? go({ view: 'channels' }) : startWritingIn(channelId)),
    notifications: () => void allowNotifications().then(() => setBlocked(isNotificationBlocked())),
    apps: () => {
      storeStep('apps')
      setShowingApps(!isShowingApps)
    },
  }
  return (
    <Card
      title={te().steps.title}
      dismissed={te().steps.dismissed}
      progress={te().steps.progress(done.length, names.length)}
    >
      <ol>
        {names.map((name) => (
          <li key={name} class={done.includes(name) ? 'first-step is-done' : 'first-step'}>
            <span class="first-step-mark">{done.includes(name) && <Icon name="check" size={14} />}</span>
            <span class="first-step-text">
              <strong>{te().steps.titles[name]}</strong>
              {done.includes(name) && <span class="visually-hidden">, {te().steps.done}</span>}
              <span class="note">{stepNote(name, known.link ?? origin, isBlocked)}</span>
              {name === 'invite' && known.link !== undefined && (
                <input
                  class="input"
                  dir="ltr"
                  aria-label={te().inviteLink}
                  readOnly
                  value={known.link}
                  onFocus={({ currentTarget }) => currentTarget.select()}
                />
              )}
            </span>
            <button
              class={name === names.find((one) => !done.includes(one)) ? 'button primary' : 'button'}
              aria-expanded={name === 'apps' ? isShowingApps : undefined}
              aria-controls={name === 'apps' && isShowingApps ? appsId : undefined}
              onClick={runs[name]}
            >
              {te().steps.actions[name]}
            </button>
          </li>
        ))}
      </ol>
      {refusal}
      {isShowingApps && (
        <div class="first-steps-apps" id={appsId}>
          {reachabilityOf(origin) !== 'machine' && <QrCode text={origin} label={te().steps.qrCode} />}
          <p>{reachabilityWarning(origin) ?? te().steps.phone}</p>
          <p>{te().steps.computer}</p>
        </div>
      )}
    </Card>
  )
}

async function copyInvite(known: string | undefined): Promise<void> {
  if (!invitationMethods().includes('link')) return invitePeople()
  await copyWithToast(known ?? (await findOrCreateMemberLink(AbortSignal.timeout(MAX_WAIT_MILLISECONDS))))
  storeStep('invite')
}

/** Also subscribes to push, if the server and the browser support it. */
async function allowNotifications(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  storeStep('notifications')
  if (!supportsPush()) return
  await readPush()
  if (typeof pushState.value === 'object') await turnOnPush(pushState.value.application_server_key)
}

async function introductionCard(signal: AbortSignal): Promise<ComponentChildren> {
  const [own, joined, others] = await Promise.all([
    fetchConversations(signal, { participated: true }),
    fetchConversations(signal),
    Promise.all(newChannelIds().map(async (channel_id) => fetchConversations(signal, { channel_id }))),
  ])
  if (own.length === 0) {
    return <Introduction people={otherUserIds()} channelIds={busiestChannelIds([...joined, ...others.flat()])} />
  }
  void firstSteps.write('done')
  return null
}

const PRESENCE_ORDER = ['active', 'idle', 'offline']

/** Returns active people first. Called once, so that the order stays the same while the inbox is open. */
function otherUserIds(): readonly number[] {
  const rankOf = (id: number): number => PRESENCE_ORDER.indexOf(presenceOf(id))
  return activePeople.value
    .filter(({ is_bot, user_id }) => !is_bot && user_id !== ownId() && !isMutedUser(user_id))
    .toSorted((one, other) => rankOf(one.user_id) - rankOf(other.user_id) || one.role - other.role)
    .map(({ user_id }) => user_id)
}

const readableChannels = () => allChannels().filter((channel) => !channel.is_archived && mayRead(channel))

/** Channels that the person has not joined and that are too new to have a number of messages per week. */
function newChannelIds(): readonly number[] {
  const channels = readableChannels().filter((channel) => channel.stream_weekly_traffic === null)
  const ids = channels.map(({ stream_id: id }) => id)
  return ids.filter((id) => subscriptionTo(id) === undefined).slice(0, MAX_NEW_CHANNELS)
}

/** Sorts by messages per week or, for channels too new to have this number, by number of conversations. */
function busiestChannelIds(all: Conversations): readonly number[] {
  const topicsIn = (id: number): number => all.filter(({ stream_id }) => stream_id === id).length
  const latestIn = (id: number): number => all.find(({ stream_id }) => stream_id === id)?.max_message_id ?? 0
  return readableChannels()
    .map(({ stream_id: id, stream_weekly_traffic: traffic }) => ({ id, weight: traffic ?? topicsIn(id) }))
    .toSorted((one, other) => other.weight - one.weight || latestIn(other.id) - latestIn(one.id) || one.id - other.id)
    .slice(0, MAX_CHANNELS)
    .map(({ id }) => id)
}

/** Prefers channels that the person has joined. */
function channelToWriteIn(channelIds: readonly number[]): number | undefined {
  const writable = channelIds.filter((id) => {
    const channel = channelById(id)
    return channel !== undefined && maySendTo(channel)
  })
  return writable.find((id) => subscriptionTo(id) !== undefined) ?? writable[0]
}

function startWritingIn(channelId: number): void {
  go({ view: 'channel', channelId })
  afterPaint(initialTopic(channelId) === undefined ? startTopic : focusComposer)
}

interface IntroductionProps {
  readonly people: readonly number[]
  readonly channelIds: readonly number[]
}

function Introduction({ people, channelIds }: IntroductionProps) {
  const channelId = channelToWriteIn(channelIds)
  return (
    <Card title={te().steps.welcome(store().read('realm_name'))} dismissed={te().steps.introductionDismissed}>
      {people.length > 0 && (
        <>
          <h3>{te().steps.people}</h3>
          <ul class="first-steps-people">
            {people.slice(0, MAX_PEOPLE).map((id) => (
              <li key={id}>
                <Person userId={id} />
              </li>
            ))}
            {people.length > MAX_PEOPLE && <li class="note">{t().nav.others(people.length - MAX_PEOPLE)}</li>}
          </ul>
        </>
      )}
      {channelIds.length > 0 && (
        <>
          <h3>{te().steps.channels}</h3>
          <ul>
            {channelIds.map((id) => (
              <ChannelRow key={id} channelId={id} />
            ))}
          </ul>
        </>
      )}
      {channelId !== undefined && (
        <button class="button primary" onClick={() => startWritingIn(channelId)}>
          {te().steps.write}
        </button>
      )}
    </Card>
  )
}

function Person({ userId }: { readonly userId: number }) {
  const content = <PersonLabel userId={userId} />
  if (!mayWriteTo([userId])) return <span class="first-steps-person">{content}</span>
  return (
    <Link to={{ view: 'direct', userIds: [userId] }} class="first-steps-person">
      {content}
    </Link>
  )
}

function ChannelRow({ channelId }: { readonly channelId: number }) {
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const { name, description, rendered_description: rendered } = channel
  const isOffered = subscriptionTo(channelId) === undefined && mayJoin(channel)
  return (
    <li class="first-step">
      <span class="first-step-text">
        <Link to={{ view: 'channel', channelId }} class="first-steps-channel">
          <ChannelSign channelId={channelId} />
          <bdi>{name}</bdi>
        </Link>
        {description !== '' && (
          <span class="note">
            <bdi>{textOf(rendered)}</bdi>
          </span>
        )}
      </span>
      {isOffered && (
        <button class="button" aria-label={`${t().channel.join}: ${name}`} onClick={() => void joinChannel(name)}>
          {t().channel.join}
        </button>
      )}
    </li>
  )
}
