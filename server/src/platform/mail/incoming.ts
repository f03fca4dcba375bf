import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { addressKey } from '../limits/rate.ts'
import { Gathered } from './gathered.ts'

/** Where e-mails go that come in. */
export interface MailTaker {
  /** What stands at an address. @throws MailTurnedAway */
  mailboxOf(recipient: string): Promise<Mailbox>
}

export interface Mailbox {
  /** Who asked for its address: the same for all addresses that one person asked for. */
  readonly owner: string
  /** Takes an e-mail over: it is done with it when this returns. @throws MailTurnedAway */
  take(mail: IncomingMail): Promise<void>
}

export interface IncomingMail {
  /** Of the envelope: empty where no answer may be sent, as of a notice of a mail server. */
  readonly sender: string
  readonly bytes: Buffer
}

/** An answer of SMTP: with 4xx the other server tries again later, with 5xx it does not. */
export class MailTurnedAway extends Error {
  override readonly name = 'MailTurnedAway'
  readonly responseCode: number

  constructor(responseCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.responseCode = responseCode
  }
}

export interface IncomingMailSettings {
  readonly host: string
  readonly port: number
  /** After which a connection ends, whatever it is at: who sends a byte now and then keeps it no longer. */
  readonly connectionSeconds?: number
  /** After which a connection ends on which an e-mail was begun and has not come to its end. */
  readonly mailSeconds?: number
}

/** An e-mail with what it carries, as it is sent. It is held in memory while it is read. */
export const MAX_MAIL_MEBIBYTES = 20
export const MAX_CONNECTIONS = 50
/** Of one network address, which may be a mail server that sends on what many wrote. */
export const MAX_CONNECTIONS_PER_ADDRESS = 20
const CONNECTION_SECONDS = 600
/** For 20 MiB, some hundred kilobytes in a second. */
const MAIL_SECONDS = 180
/** Whoever sends as many bytes without coming to an end is not listened to any more; each dot at the beginning of a line is sent twice. */
export const MAX_SENT_MEBIBYTES = 2 * MAX_MAIL_MEBIBYTES
/** An e-mail comes in pieces, of which each dot at the beginning of a line makes another one; each takes some time. */
export const MAX_PIECES = 100_000
const SILENT_MILLISECONDS = 60_000
const CLOSE_MILLISECONDS = 1_000
/** E-mails that are held in memory at once; who brings more is told to come again. */
const MAX_HELD = 4
/** Of these for the addresses of one person, so that who knows some keeps none from the others. */
const MAX_HELD_PER_OWNER = 2
/** Recipients of one connection that are not known here, after which it ends. */
export const MAX_UNKNOWN_RECIPIENTS = 5
const MEBIBYTE = 1024 * 1024

export interface IncomingMailListener {
  readonly port: number
  close(): Promise<void>
}

/** What is known of one connection. */
interface ConnectionState {
  unknownRecipients: number
  mailbox: Mailbox | undefined
}

/** Listens for e-mails by SMTP. It sends none on: every recipient is asked for, and each e-mail has one. */
export async function listenForMail(
  { host, port, connectionSeconds = CONNECTION_SECONDS, mailSeconds = MAIL_SECONDS }: IncomingMailSettings,
  taker: MailTaker,
  report: (error: unknown) => void,
): Promise<IncomingMailListener> {
  // Most servers take no e-mail.
  const { SMTPServer } = await import('smtp-server')
  const states = new WeakMap<SMTPServerSession, ConnectionState>()
  const held = new HeldMails()
  const sockets = new OpenSockets(connectionSeconds * 1000)
  const server = new SMTPServer({
    banner: 'Parley',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: MAX_MAIL_MEBIBYTES * MEBIBYTE,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: SILENT_MILLISECONDS,
    closeTimeout: CLOSE_MILLISECONDS,
    onConnect({ remoteAddress }, done) {
      done(sockets.of(remoteAddress) > MAX_CONNECTIONS_PER_ADDRESS ? tooMany('connections') : null)
    },
    onRcptTo({ address }, session, done) {
      const state = states.get(session) ?? { unknownRecipients: 0, mailbox: undefined }
      states.set(session, state)
      findMailbox(taker, state, address, session.envelope.rcptTo.length).then(
        () => done(),
        (error: unknown) => done(answerTo(error, report)),
      )
    },
    onData(stream, session, done) {
      const { mailFrom } = session.envelope
      const sender = mailFrom === false ? '' : mailFrom.address
      const socket = sockets.at(session)
      const timer = setTimeout(() => cut(socket, 'It takes too long'), mailSeconds * 1000).unref()
      const sending = { stream, socket, isRead: () => clearTimeout(timer) }
      const taken = held.take(sending, states.get(session)?.mailbox, sender).finally(sending.isRead)
      taken.then(
        () => done(),
        (error: unknown) => done(answerTo(error, report)),
      )
    },
  })
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  // Of single connections that break.
  server.on('error', () => undefined)
  server.listen(port, host)
  await once(server.server, 'listening')
  // A server on TCP has an address of this kind.
  const address = server.server.address() as AddressInfo
  return {
    port: address.port,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** @throws MailTurnedAway where the recipient is not known here, or is a second one */
async function findMailbox(taker: MailTaker, state: ConnectionState, recipient: string, known: number): Promise<void> {
  if (known > 0) throw new MailTurnedAway(452, 'One recipient at a time')
  if (state.unknownRecipients >= MAX_UNKNOWN_RECIPIENTS) throw tooMany('recipients that are not known here')
  try {
    state.mailbox = await taker.mailboxOf(recipient)
  } catch (error) {
    state.unknownRecipients += 1
    throw error
  }
}

/** It ends the connection. */
function tooMany(what: string): MailTurnedAway {
  return new MailTurnedAway(421, `Too many ${what}, try again later`)
}

/** Ends a connection in the middle of an e-mail. */
function cut(socket: Socket | undefined, why: string): void {
  if (socket === undefined || socket.destroyed) return
  socket.write(`421 ${why}, try again later\r\n`)
  socket.destroySoon()
}

/** The connections that are open, counted by where they come from; each for a limited time. */
class OpenSockets {
  readonly #counts = new Map<string, number>()
  readonly #open = new Map<string, Socket>()
  readonly #milliseconds: number

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  of(remoteAddress: string): number {
    return this.#counts.get(addressKey(remoteAddress)) ?? 0
  }

  /** The connection of a session. */
  at({ remoteAddress, remotePort }: Pick<SMTPServerSession, 'remoteAddress' | 'remotePort'>): Socket | undefined {
    return this.#open.get(placeOf(remoteAddress, remotePort))
  }

  add(socket: Socket): void {
    const place = placeOf(socket.remoteAddress, socket.remotePort)
    this.#open.set(place, socket)
    const key = addressKey(socket.remoteAddress ?? '')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    const timer = setTimeout(() => socket.destroy(), this.#milliseconds).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      if (this.#open.get(place) === socket) this.#open.delete(place)
      const left = (this.#counts.get(key) ?? 0) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    })
  }
}

/** Where a connection comes from, however an address of IPv4 is written. */
function placeOf(address: string | undefined, port: number | undefined): string {
  return `${address?.replace(/^::ffff:/, '') ?? ''} ${port ?? 0}`
}

/** An e-mail that is on its way. */
interface Sending {
  readonly stream: MailStream
  readonly socket: Socket | undefined
  /** Is told that all of it is there, or that no more comes. */
  readonly isRead: () => void
}

interface MailStream extends AsyncIterable<Buffer> {
  readonly sizeExceeded: boolean
}

/** The e-mails that are in memory, from the first byte until they are taken. */
class HeldMails {
  #count = 0
  readonly #byOwner = new Map<string, number>()

  async take(sending: Sending, mailbox: Mailbox | undefined, sender: string): Promise<void> {
    // The protocol has the recipient before the e-mail.
    if (mailbox === undefined) throw new MailTurnedAway(503, 'No recipient')
    const { owner } = mailbox
    const ofOwner = (this.#byOwner.get(owner) ?? 0) + 1
    this.#count += 1
    this.#byOwner.set(owner, ofOwner)
    try {
      const bytes = await readAll(sending, this.#count <= MAX_HELD && ofOwner <= MAX_HELD_PER_OWNER)
      await mailbox.take({ sender, bytes })
    } finally {
      this.#count -= 1
      const left = (this.#byOwner.get(owner) ?? 0) - 1
      if (left > 0) this.#byOwner.set(owner, left)
      else this.#byOwner.delete(owner)
    }
  }
}

/** Reads an e-mail to its end, also one that is not taken: only then does its sender hear why. One without an end is cut. */
async function readAll({ stream, socket, isRead }: Sending, isKept: boolean): Promise<Buffer> {
  const gathered = new Gathered()
  const before = socket?.bytesRead ?? 0
  let pieces = 0
  try {
    for await (const chunk of stream) {
      pieces += 1
      const sent = (socket?.bytesRead ?? 0) - before
      if (pieces > MAX_PIECES || sent > MAX_SENT_MEBIBYTES * MEBIBYTE) {
        cut(socket, 'This is no e-mail')
        throw new MailTurnedAway(552, 'This is no e-mail')
      }
      if (isKept && !stream.sizeExceeded) gathered.add(chunk)
      else gathered.clear()
    }
  } catch (error) {
    if (error instanceof MailTurnedAway) throw error
    throw new MailTurnedAway(451, 'The e-mail broke off', { cause: error })
  } finally {
    isRead()
  }
  if (stream.sizeExceeded) throw new MailTurnedAway(552, `E-mails may have at most ${MAX_MAIL_MEBIBYTES} MiB`)
  if (!isKept) throw new MailTurnedAway(451, 'Too many e-mails at once, try again later')
  return gathered.bytes()
}

function answerTo(error: unknown, report: (error: unknown) => void): MailTurnedAway {
  if (error instanceof MailTurnedAway) return error
  report(error)
  return new MailTurnedAway(451, 'Try again later')
}
