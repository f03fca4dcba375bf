import { isEvent, type PayloadOf } from '@parley/client'
import { messageEdits, messages as declared } from '@parley/server/contract'
import { batch, computed, signal, type Signal } from '@preact/signals'
import { isMessageIn, narrowOf, type Message } from '../../kernel/message.ts'
import { isPlace, type Place } from '../../kernel/route.ts'
import { messages, sync } from '../../platform/client.ts'
import { parseInert } from '../../platform/dom/html.ts'
import { readPage } from '../../platform/messages/reading.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { shownRoute } from '../../platform/router.ts'
import { isHiddenMessage } from '../muted-users/state.ts'
import { ownId } from '../users/state.ts'
import { PICTURE_LINKS, type Picture } from './state.ts'

/** Distance from the last known picture at which more pictures are requested. */
const PREFETCH_DISTANCE = 3

export class Gallery {
  readonly #place: Place | undefined
  readonly #pictures = signal<readonly Picture[]>([])
  readonly #shown: Signal<Picture>
  readonly #ends = { older: signal(false), newer: signal(false) }
  #isLoading = false
  /** Direction in which to move when more pictures are loaded. */
  #wanted: -1 | 1 | undefined

  constructor(link: HTMLAnchorElement, listed?: readonly Picture[]) {
    const id = Number(link.closest<HTMLElement>('.list [data-row]')?.dataset['row'])
    const message = messages.get(id)?.peek()
    this.#place = message === undefined || listed !== undefined ? undefined : shownPlace()
    const all =
      listed ??
      (this.#place === undefined
        ? picturesOf(link.closest('.pictures') ?? link.parentElement ?? link)
        : messages
            .shownIn(this.#place)
            .filter((one) => !isHiddenMessage(one))
            .flatMap(picturesIn))
    const known = listed?.find(({ linked }) => linked === link.href)
    const opened = known ?? { name: link.title, address: addressOf(link), linked: link.href, message }
    this.#pictures.value = all.some((one) => isSamePicture(one, opened)) ? all : [opened]
    this.#shown = signal(opened)
    for (const end of [this.#ends.older, this.#ends.newer]) end.value = !this.#isAskable
  }

  readonly picture = computed(() => this.#shown.value)
  readonly index = computed(() => this.#pictures.value.findIndex((one) => isSamePicture(one, this.#shown.value)))
  readonly count = computed(() =>
    this.#ends.older.value && this.#ends.newer.value ? this.#pictures.value.length : undefined,
  )

  get #isAskable(): boolean {
    return this.#place !== undefined && this.#place.view !== 'search' && this.#place.view !== 'reactions'
  }

  /** Whether a previous or next picture exists or can still be loaded. */
  has(by: -1 | 1): boolean {
    return this.#pictures.value[this.index.value + by] !== undefined || !this.#endAt(by).value
  }

  step(by: -1 | 1): void {
    const next = this.#pictures.peek()[this.index.peek() + by]
    this.#wanted = next === undefined && !this.#endAt(by).peek() ? by : undefined
    if (next !== undefined) this.#shown.value = next
    const isNear = this.#pictures.peek()[this.index.peek() + by * PREFETCH_DISTANCE] === undefined
    if (isNear && !this.#endAt(by).peek()) void this.#load(by)
  }

  follow(): () => void {
    void this.#load()
    return sync.listen((event) => {
      if (isEvent(event, declared.messageSent)) this.#onMessage(event)
      else if (isEvent(event, messageEdits.messagesDeleted)) this.#remove(new Set(event.message_ids))
    })
  }

  #endAt(by: -1 | 1) {
    return by < 0 ? this.#ends.older : this.#ends.newer
  }

  async #load(by?: -1 | 1): Promise<void> {
    const place = this.#place
    const edge = by === -1 ? this.#pictures.peek()[0] : this.#pictures.peek().at(-1)
    const around = (by === undefined ? this.#shown.peek() : edge)?.message?.id
    if (place === undefined || !this.#isAskable || around === undefined || this.#isLoading) return
    this.#isLoading = true
    try {
      const narrow = [...narrowOf(place), { operator: 'has', operand: 'image' }]
      const page = await readPage(narrow, by === undefined ? 'all' : by < 0 ? 'older' : 'newer', around)
      batch(() => {
        this.#take(page.messages)
        if (by !== 1) this.#ends.older.value = page.found_oldest
        if (by !== -1) this.#ends.newer.value = page.found_newest
      })
    } catch (error) {
      if (this.#wanted !== undefined) toast(reasonOf(error))
      this.#wanted = undefined
    }
    this.#isLoading = false
    const { index, count } = { index: this.index.peek(), count: this.#pictures.peek().length }
    const wanted = this.#wanted
    if (wanted !== undefined && (wanted < 0 ? index > 0 : index < count - 1)) this.step(wanted)
  }

  #take(found: readonly Message[]): void {
    const ids = new Set(found.map(({ id }) => id))
    const others = this.#pictures.peek().filter(({ message }) => !ids.has(message?.id ?? 0))
    const taken = found.filter((message) => !isHiddenMessage(message)).flatMap(picturesIn)
    this.#pictures.value = [...others, ...taken].toSorted(
      (one, other) => (one.message?.id ?? 0) - (other.message?.id ?? 0),
    )
  }

  #onMessage({ message, flags }: PayloadOf<typeof declared.messageSent>): void {
    const sent: Message = { ...message, flags }
    const isHere = this.#place !== undefined && isMessageIn(this.#place, sent, ownId()) === true
    if (isHere && this.#ends.newer.peek()) this.#take([sent])
  }

  #remove(ids: ReadonlySet<number>): void {
    this.#pictures.value = this.#pictures
      .peek()
      .filter((one) => isSamePicture(one, this.#shown.peek()) || !ids.has(one.message?.id ?? 0))
  }
}

function shownPlace(): Place | undefined {
  const route = shownRoute()
  if (route.view === 'channel') return { view: 'channel-feed', channelId: route.channelId }
  return route.view !== 'not-found' && isPlace(route) ? route : undefined
}

function isSamePicture(one: Picture, other: Picture | undefined): boolean {
  return one.address === other?.address && one.message?.id === other.message?.id
}

function picturesIn(message: Message): readonly Picture[] {
  return picturesOf(parseInert(message.content), message)
}

function picturesOf(content: ParentNode, message?: Message): readonly Picture[] {
  const links = [...content.querySelectorAll<HTMLAnchorElement>(PICTURE_LINKS)]
  const pictures = links.map((link): [string, Picture] => {
    const linked = new URL(link.getAttribute('href') ?? '', location.href).href
    return [linked, { name: link.title, address: addressOf(link), linked, message }]
  })
  return [...new Map(pictures).values()]
}

function addressOf(link: HTMLAnchorElement): string {
  const file = new URL(link.getAttribute('href') ?? '', location.href)
  const image = link.querySelector('img')
  const kept = image?.dataset['moving'] ?? image?.getAttribute('src') ?? ''
  return file.origin === location.origin ? file.href : new URL(kept, location.href).href
}
