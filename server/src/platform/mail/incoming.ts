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
}

/** An e-mail with what it carries, as it is sent. It is held in memory while it is read. */
export const MAX_MAIL_MEBIBYTES = 20
export const MAX_CONNECTIONS = 50
/** Of one network address, which may be a mail server that sends on what many wrote. */
export const MAX_CONNECTIONS_PER_ADDRESS = 20
const CONNECTION_SECONDS = 600
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
  { host, port, connectionSeconds = CONNECTION_SECONDS }: IncomingMailSettings,
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
      held.take(stream, states.get(session)?.mailbox, sender).then(
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

/** The connections that are open, counted by where they come from; each for a limited time. */
class OpenSockets {
  readonly #counts = new Map<string, number>()
  readonly #milliseconds: number

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  of(remoteAddress: string): number {
    return this.#counts.get(addressKey(remoteAddress)) ?? 0
  }

  add(socket: Socket): void {
    const key = addressKey(socket.remoteAddress ?? '')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    const timer = setTimeout(() => socket.destroy(), this.#milliseconds).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      const left = (this.#counts.get(key) ?? 0) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    })
  }
}

interface MailStream extends AsyncIterable<Buffer> {
  readonly sizeExceeded: boolean
}

/** The e-mails that are in memory, from the first byte until they are taken. */
class HeldMails {
  #count = 0
  readonly #byOwner = new Map<string, number>()

  async take(stream: MailStream, mailbox: Mailbox | undefined, sender: string): Promise<void> {
    // The protocol has the recipient before the e-mail.
    if (mailbox === undefined) throw new MailTurnedAway(503, 'No recipient')
    const { owner } = mailbox
    const ofOwner = (this.#byOwner.get(owner) ?? 0) + 1
    this.#count += 1
    this.#byOwner.set(owner, ofOwner)
    try {
      const bytes = await readAll(stream, this.#count <= MAX_HELD && ofOwner <= MAX_HELD_PER_OWNER)
      await mailbox.take({ sender, bytes })
    } finally {
      this.#count -= 1
      const left = (this.#byOwner.get(owner) ?? 0) - 1
      if (left > 0) this.#byOwner.set(owner, left)
      else this.#byOwner.delete(owner)
    }
  }
}

/** Reads an e-mail to its end, also one that is not taken: only then does its sender hear why. */
async function readAll(stream: MailStream, isKept: boolean): Promise<Buffer> {
  const gathered = new Gathered()
  try {
    for await (const chunk of stream) {
      if (isKept && !stream.sizeExceeded) gathered.add(chunk)
      else gathered.clear()
    }
  } catch (error) {
    throw new MailTurnedAway(451, 'The e-mail broke off', { cause: error })
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
