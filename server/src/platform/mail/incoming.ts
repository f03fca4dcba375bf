import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { addressKey } from '../limits/rate.ts'

export interface MailReceiver {
  /** @throws MailRejectedError for an unknown recipient */
  mailboxOf(recipient: string): Promise<Mailbox>
}

export interface Mailbox {
  /** Identifies the person: the same for all email addresses of one person. */
  readonly owner: string
  /** Resolves when an email is fully processed, so its sender need not keep it. @throws MailRejectedError */
  take(mail: IncomingMail): Promise<void>
}

export interface IncomingMail {
  /** Envelope sender; empty for mail that must not be answered, such as bounces. */
  readonly sender: string
  readonly bytes: Buffer
}

/** SMTP error: the other server retries after 4xx, but not after 5xx. */
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError'
  readonly responseCode: number

  constructor(responseCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.responseCode = responseCode
  }
}

export interface IncomingMailSettings {
  readonly host: string
  readonly port: number
  /** Lifetime of a connection, which a sender cannot extend by sending a byte now and then. */
  readonly connectionSeconds?: number
  readonly mailSeconds?: number
}

export const MAX_MAIL_MEBIBYTES = 20
export const MAX_CONNECTIONS = 50
/** Limit per network address, which can be a mail server for many people. */
export const MAX_CONNECTIONS_PER_ADDRESS = 20
const MAX_CONNECTION_SECONDS = 600
/** Time limit for receiving an email: enough for 20 MiB at about 100 kB/s. */
const MAIL_TIMEOUT_SECONDS = 180
/** Limit on the data sent, which can be twice the email's size: SMTP doubles each dot at the start of a line. */
export const MAX_TRANSFER_MEBIBYTES = 2 * MAX_MAIL_MEBIBYTES
/** The parser splits a chunk at each dot at the start of a line, and each chunk costs time. */
export const MAX_CHUNKS_PER_MAIL = 100_000
const IDLE_TIMEOUT_MILLISECONDS = 60_000
const CLOSE_TIMEOUT_MILLISECONDS = 1_000
const MAX_MAILS_IN_MEMORY = 4
/** Limit per person, so that one person's email addresses cannot block those of other people. */
const MAX_MAILS_IN_MEMORY_PER_OWNER = 2
export const MAX_UNKNOWN_RECIPIENTS = 5
const MEBIBYTE = 1024 * 1024

export interface IncomingMailListener {
  readonly port: number
  close(): Promise<void>
}

interface ConnectionState {
  unknownRecipients: number
  mailbox: Mailbox | undefined
}

/** Listens for email but never relays any: each email has one recipient, which is checked. */
export async function listenForMail(
  { host, port, connectionSeconds = MAX_CONNECTION_SECONDS, mailSeconds = MAIL_TIMEOUT_SECONDS }: IncomingMailSettings,
  taker: MailReceiver,
  report: (error: unknown) => void,
): Promise<IncomingMailListener> {
  const { SMTPServer } = await import('smtp-server')
  const states = new WeakMap<SMTPServerSession, ConnectionState>()
  const inMemory = new MailsInMemory()
  const sockets = new OpenSockets(connectionSeconds * 1000)
  const server = new SMTPServer({
    banner: 'Parley',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: MAX_MAIL_MEBIBYTES * MEBIBYTE,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_TIMEOUT_MILLISECONDS,
    closeTimeout: CLOSE_TIMEOUT_MILLISECONDS,
    onConnect({ remoteAddress }, done) {
      done(sockets.of(remoteAddress) > MAX_CONNECTIONS_PER_ADDRESS ? tooManyMailsError('connections') : null)
    },
    onRcptTo({ address }, session, done) {
      const state = states.get(session) ?? { unknownRecipients: 0, mailbox: undefined }
      states.set(session, state)
      findMailbox(taker, state, address, session.envelope.rcptTo.length).then(
        () => done(),
        (error: unknown) => done(toMailRejectedError(error, report)),
      )
    },
    onData(stream, session, done) {
      const { mailFrom } = session.envelope
      const sender = mailFrom === false ? '' : mailFrom.address
      const socket = sockets.at(session)
      const timer = setTimeout(() => endConnection(socket, 'The transfer takes too long'), mailSeconds * 1000).unref()
      const sending = { stream, socket, isRead: () => clearTimeout(timer) }
      const taken = inMemory.take(sending, states.get(session)?.mailbox, sender).finally(sending.isRead)
      taken.then(
        () => done(),
        (error: unknown) => done(toMailRejectedError(error, report)),
      )
    },
  })
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('error', () => undefined)
  server.listen(port, host)
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    port: address.port,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** @throws MailRejectedError for an unknown or a second recipient */
async function findMailbox(
  taker: MailReceiver,
  state: ConnectionState,
  recipient: string,
  known: number,
): Promise<void> {
  if (known > 0) throw new MailRejectedError(452, 'One recipient at a time')
  if (state.unknownRecipients >= MAX_UNKNOWN_RECIPIENTS) throw tooManyMailsError('unknown recipients')
  try {
    state.mailbox = await taker.mailboxOf(recipient)
  } catch (error) {
    state.unknownRecipients += 1
    throw error
  }
}

function tooManyMailsError(what: string): MailRejectedError {
  return new MailRejectedError(421, `Too many ${what}, try again later`)
}

function endConnection(socket: Socket | undefined, why: string): void {
  if (socket === undefined || socket.destroyed) return
  socket.write(`421 ${why}, try again later\r\n`)
  socket.destroySoon()
}

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

  at({ remoteAddress, remotePort }: Pick<SMTPServerSession, 'remoteAddress' | 'remotePort'>): Socket | undefined {
    return this.#open.get(addressAndPort(remoteAddress, remotePort))
  }

  add(socket: Socket): void {
    const place = addressAndPort(socket.remoteAddress, socket.remotePort)
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

/** Returns a connection's address and port. Turns IPv4-mapped IPv6 into IPv4. */
function addressAndPort(address: string | undefined, port: number | undefined): string {
  return `${address?.replace(/^::ffff:/, '') ?? ''} ${port ?? 0}`
}

interface MailTransfer {
  readonly stream: MailStream
  readonly socket: Socket | undefined
  readonly isRead: () => void
}

interface MailStream extends AsyncIterable<Buffer> {
  readonly sizeExceeded: boolean
}

class MailsInMemory {
  #count = 0
  readonly #byOwner = new Map<string, number>()

  async take(sending: MailTransfer, mailbox: Mailbox | undefined, sender: string): Promise<void> {
    // SMTP requires a recipient before the data.
    if (mailbox === undefined) throw new MailRejectedError(503, 'No recipient')
    const { owner } = mailbox
    const ofOwner = (this.#byOwner.get(owner) ?? 0) + 1
    this.#count += 1
    this.#byOwner.set(owner, ofOwner)
    try {
      const bytes = await readMailData(
        sending,
        this.#count <= MAX_MAILS_IN_MEMORY && ofOwner <= MAX_MAILS_IN_MEMORY_PER_OWNER,
      )
      await mailbox.take({ sender, bytes })
    } finally {
      this.#count -= 1
      const left = (this.#byOwner.get(owner) ?? 0) - 1
      if (left > 0) this.#byOwner.set(owner, left)
      else this.#byOwner.delete(owner)
    }
  }
}

/** Reads even a refused email to its end, because the sender reads the error only then. */
async function readMailData({ stream, socket, isRead }: MailTransfer, isKept: boolean): Promise<Buffer> {
  const gathered = new ChunkBuffer()
  const before = socket?.bytesRead ?? 0
  let pieces = 0
  try {
    for await (const chunk of stream) {
      pieces += 1
      const sent = (socket?.bytesRead ?? 0) - before
      if (pieces > MAX_CHUNKS_PER_MAIL || sent > MAX_TRANSFER_MEBIBYTES * MEBIBYTE) {
        endConnection(socket, 'This is not an email')
        throw new MailRejectedError(552, 'This is not an email')
      }
      if (isKept && !stream.sizeExceeded) gathered.add(chunk)
      else gathered.clear()
    }
  } catch (error) {
    if (error instanceof MailRejectedError) throw error
    throw new MailRejectedError(451, 'The email was cut off', { cause: error })
  } finally {
    isRead()
  }
  if (stream.sizeExceeded) throw new MailRejectedError(552, `Emails can have at most ${MAX_MAIL_MEBIBYTES} MiB`)
  if (!isKept) throw new MailRejectedError(451, 'Too many emails at once, try again later')
  return gathered.bytes()
}

function toMailRejectedError(error: unknown, report: (error: unknown) => void): MailRejectedError {
  if (error instanceof MailRejectedError) return error
  report(error)
  return new MailRejectedError(451, 'Try again later')
}

const BYTES_PER_BLOCK = 64 * 1024

/** Copies bytes into blocks: each kept chunk costs several hundred bytes, and the sender chooses the chunk size. */
export class ChunkBuffer {
  readonly #full: Buffer[] = []
  #block = Buffer.alloc(0)
  #used = 0

  add(piece: Uint8Array): void {
    for (let rest = piece; rest.length > 0;) {
      if (this.#used === this.#block.length) this.#begin()
      const copied = Math.min(rest.length, this.#block.length - this.#used)
      this.#block.set(rest.subarray(0, copied), this.#used)
      this.#used += copied
      rest = rest.subarray(copied)
    }
  }

  #begin(): void {
    if (this.#used > 0) this.#full.push(this.#block)
    this.#block = Buffer.allocUnsafeSlow(BYTES_PER_BLOCK)
    this.#used = 0
  }

  clear(): void {
    this.#full.length = 0
    this.#block = Buffer.alloc(0)
    this.#used = 0
  }

  bytes(): Buffer {
    return Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)])
  }
}
