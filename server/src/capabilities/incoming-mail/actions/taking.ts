import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { truncate, isBlank } from '../../../kernel/characters.ts'
import { formatCount } from '../../../kernel/phrases.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Db } from '../../../kernel/transaction.ts'
import { discardFile } from '../../../platform/files/receive.ts'
import { randomName } from '../../../platform/files/store.ts'
import { makeFolder } from '../../../platform/folders.ts'
import type { SharedLimits } from '../../../platform/limits/shared.ts'
import type { UseLog } from '../../../platform/log/logs.ts'
import type { OrganizationLog } from '../../../platform/log/organization-log.ts'
import type { Logger } from '../../../platform/logger.ts'
import { MailRejectedError, type IncomingMail, type MailReceiver } from '../../../platform/mail/incoming.ts'
import { readMail, type MailFile, type ParsedMail } from '../../../platform/mail/reading.ts'
import type { Call } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { maySendToChannel } from '../../channels/rules/index.ts'
import { takeTurn } from '../../community/actions.ts'
import { requireTurn } from '../../community/queries.ts'
import { escapeMentions } from '../../integrations/rules/harmless.ts'
import { plainText } from '../../integrations/rules/text.ts'
import { postMessages } from '../../messages/actions/post.ts'
import { holdMessage } from '../../held-messages/actions/hold.ts'
import { needsReview, textsOf } from '../../held-messages/rules.ts'
import { prepareMessage } from '../../messages/actions/prepare.ts'
import { requireMayStillPost } from '../../messages/queries/newcomers.ts'
import { validateTopic } from '../../messages/rules/index.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { isDeactivated } from '../../organizations/queries/index.ts'
import { addUpload } from '../../uploads/actions.ts'
import { userById, type UserRow } from '../../users/queries/index.ts'
import { channelAddressByDigest, type ChannelAddress } from '../queries.ts'
import { addressSecretDigest, parseAddress, dropReason, type AddressOption } from '../rules/index.ts'
import { textToPost, topicFromSubject } from '../rules/texts.ts'

const ADDRESS_RATE_LIMIT = { count: 60, seconds: 60 }
/** Limit on emails to all of a user's channel addresses together. */
const CREATOR_RATE_LIMIT = { count: 200, seconds: 60 }
const MAIL_CLIENT_NAME = 'e-mail'

interface MailReceiverOptions {
  readonly domain: string
  readonly reads: Db
  readonly server: ServerFacts
  readonly limits: Pick<SharedLimits, 'limiter'>
  readonly useLog: UseLog
  readonly logger: Pick<Logger, 'warn'>
}

interface MailDestination {
  readonly organizationId: number
  readonly digest: Buffer
  readonly address: ChannelAddress
  readonly options: ReadonlySet<AddressOption>
}

/** Every recipient that is not a channel address gets the same rejection, because the server relays nothing. */
export function createMailReceiver(options: MailReceiverOptions): MailReceiver {
  const ofAddress = options.limits.limiter('mail to an address', ADDRESS_RATE_LIMIT)
  const ofCreator = options.limits.limiter('mail to addresses of a user', CREATOR_RATE_LIMIT)
  return {
    async mailboxOf(recipient) {
      const place = await requireMailDestination(options, recipient)
      const { channelId, creatorId, senderId } = place.address
      const owner = `${place.organizationId} ${creatorId}`
      const name = `${owner} ${channelId} ${senderId}`
      return {
        owner,
        async take(mail) {
          if (!ofAddress.use(name).allowed || !ofCreator.use(owner).allowed) throw tooManyMailsError()
          await options.useLog(place.organizationId, async (log) =>
            postMail(options, log, place, mail).catch(throwAsRejection),
          )
        },
      }
    },
  }
}

/** In slow mode, the sender's server sends the email again later. */
function throwAsRejection(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  throw new MailRejectedError(error.code === 'SLOW_MODE' ? 450 : 550, error.message)
}

function tooManyMailsError(): MailRejectedError {
  return new MailRejectedError(450, 'Too many emails to this address, try again later')
}

async function requireMailDestination(
  { domain, reads, useLog }: MailReceiverOptions,
  recipient: string,
): Promise<MailDestination> {
  const parsed = parseAddress(recipient, domain)
  if (parsed === undefined) throw noSuchAddressError()
  const digest = addressSecretDigest(parsed.secret)
  const { organizationId, options } = parsed
  const address = await channelAddressByDigest(reads, organizationId, digest)
  if (address === undefined) throw noSuchAddressError()
  await useLog(organizationId, ({ organization }) => requireMailTarget(organization, address))
  return { organizationId, digest, address, options }
}

interface MailTarget {
  readonly channel: Channel
  readonly sender: UserRow
  /** Sender or, for a system bot, the address's creator; owns the files and needs permission to post. */
  readonly author: UserRow
}

/** @throws MailRejectedError if the channel is archived, or the creator or the sender can no longer post in it */
function requireMailTarget(
  organization: OrganizationState,
  { channelId, creatorId, senderId }: ChannelAddress,
): MailTarget {
  const [channel, creator, sender] = [
    channelById(organization, channelId),
    userById(organization, creatorId),
    userById(organization, senderId),
  ]
  if (channel === undefined || creator === undefined || sender === undefined || isDeactivated(organization)) {
    throw noSuchAddressError()
  }
  const author = sender.isSystemBot ? creator : sender
  // A bot that was given to a new owner must not post on the new owner's behalf.
  const isOwn = author.id === creatorId || author.botOwnerId === creatorId
  const isAllowed = [creator, author].every(
    (user) => user.isActive && maySendToChannel(organization, { userId: user.id, role: user.role }, channel),
  )
  if (!isOwn || !isAllowed || channel.isArchived) throw noSuchAddressError()
  return { channel, sender, author }
}

function noSuchAddressError(): MailRejectedError {
  return new MailRejectedError(550, 'No such address here')
}

async function postMail(
  { reads, server, logger }: MailReceiverOptions,
  log: OrganizationLog,
  { digest, address, options }: MailDestination,
  mail: IncomingMail,
): Promise<void> {
  const read = await readMail({ bytes: mail.bytes, prefersHtml: options.has('prefer-html'), maxFiles: MAX_ATTACHMENTS })
  const reason = dropReason(read, mail.sender)
  if (reason !== undefined) {
    // Accepts the email before dropping it: a rejection would make the sender's server send another bounce.
    const messageId = read.headers.find(({ key }) => key === 'message-id')?.value
    const [organization, channel] = [log.organization.id, address.channelId]
    logger.warn(
      { organization, channel, sender: mail.sender, subject: read.subject, messageId, reason },
      'email dropped',
    )
    return
  }
  const { author, channel } = requireMailTarget(log.organization, address)
  const actor: Actor = { userId: author.id, role: author.role, client: MAIL_CLIENT_NAME }
  const topic = topicFor(log.organization, channel, topicFromSubject(read.subject))
  const context = { organization: log.organization, db: reads, server }
  // The sender's server repeats a refused email: its files must not be stored each time.
  await requireTurn(context, author.id, channel.id, topic)
  const content = await messageContentOf({ log, server, actor }, read, options)
  const member = { userId: author.id, role: author.role }
  const prepared = await prepareMessage(context, member, { channelId: channel.id, topic }, content)
  const texts = [topic, ...textsOf(prepared)]
  const isHeld = await needsReview(log.organization, member, { channelId: channel.id, texts })
  await log.write(async (tx) => {
    // The address may have been revoked while the email was processed.
    if ((await channelAddressByDigest(tx.db, tx.organizationId, digest)) === undefined) throw noSuchAddressError()
    const { channel: place, sender, author: current } = requireMailTarget(tx.organization, address)
    await takeTurn(tx, current.id, place.id, topic)
    if (isHeld) {
      const written = { author_id: author.id, sender_id: sender.id, stream_id: place.id, topic, content }
      await holdMessage(tx, { ...written, widget: null, client: MAIL_CLIENT_NAME, key: null, is_scoped: false })
      return
    }
    requireMayStillPost(tx.organization, { userId: current.id }, place.id)
    await postMessages(tx, [
      {
        ...prepared,
        place: { channel: place, topic },
        senderId: sender.id,
        client: MAIL_CLIENT_NAME,
        readBySender: false,
      },
    ])
  })
}

/** Uses the empty topic if the channel rejects the email's topic. */
function topicFor(organization: OrganizationState, channel: Channel, topic: string): string {
  try {
    return validateTopic(organization, channel, topic)
  } catch (error) {
    if (error instanceof ApiError) return ''
    throw error
  }
}

type UploadContext = Pick<Call, 'log' | 'server' | 'actor'>

const MAX_ATTACHMENTS = 20
const MEBIBYTE = 1024 * 1024
const EMPTY_MAIL_TEXT = '(This email has no text.)'

async function messageContentOf(
  author: UploadContext,
  mail: ParsedMail,
  options: ReadonlySet<AddressOption>,
): Promise<string> {
  // Escapes mentions, because anyone who knows the address can send email to it.
  const text = escapeMentions(textToPost(mail, options))
  const files: string[] = []
  for (const file of mail.files) files.push(await uploadAttachment(author, file))
  if (mail.leftOut > 0) files.push(`(${formatCount(mail.leftOut, 'more file', 'more files')} left out.)`)
  const ending = files.length === 0 ? '' : truncate(`\n\n${files.join('\n')}`, LIMITS.max_message_length / 2)
  const sender = senderText(mail)
  const beginning = options.has('show-sender') && sender !== '' ? `**${plainText(sender)}**\n\n` : ''
  const shown = isBlank(text) ? '' : text
  const body = shown === '' && files.length === 0 ? EMPTY_MAIL_TEXT : shown
  const room = LIMITS.max_message_length - Array.from(ending + beginning).length
  return (beginning + truncate(body, room) + ending).trim()
}

function senderText({ fromName, fromAddress }: ParsedMail): string {
  return `${fromName} ${fromAddress === '' ? '' : `<${fromAddress}>`}`.trim()
}

async function uploadAttachment(author: UploadContext, file: MailFile): Promise<string> {
  const name = plainText(file.name)
  const { maxMebibytes } = author.server.uploadLimits
  if (file.bytes.length === 0) return `(${name} was left out: it is empty.)`
  if (file.bytes.length > maxMebibytes * MEBIBYTE) return `(${name} was left out: it is too large.)`
  const { incoming } = author.server.files
  await makeFolder(incoming)
  const received = { name: file.name, type: file.type, path: join(incoming, randomName()), size: file.bytes.length }
  try {
    await writeFile(received.path, file.bytes, { mode: 0o600 })
    const { url } = await addUpload(author, received)
    return `[${name}](${url})`
  } catch (error) {
    if (error instanceof ApiError) return `(${name} was left out: ${error.message})`
    throw error
  } finally {
    await discardFile(received)
  }
}
