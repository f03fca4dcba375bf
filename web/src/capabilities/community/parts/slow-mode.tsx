import { call } from '@parley/client'
import { community as declared } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { FormDialog } from '../../../platform/overlay/form-dialog.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { offerUndo } from '../../../platform/undo.ts'
import { placeName } from '../../places/title.tsx'
import { durationTitle, openedSlowPlace, ownSeconds, type SlowPlace } from '../state.ts'

const CHOICES = [0, 10, 30, 60, 300, 900, 3_600, declared.MAX_SLOW_MODE_SECONDS]

function close(): void {
  openedSlowPlace.value = undefined
}

export function SlowModeDialog() {
  const { value: place } = openedSlowPlace
  return place === undefined ? null : <OpenSlowModeDialog {...place} />
}

function OpenSlowModeDialog(place: SlowPlace) {
  const { channelId, topic } = place
  const current = ownSeconds(place)
  const [chosen, setChosen] = useState<number>()
  const title = (seconds: number): string => {
    if (seconds > 0) return durationTitle(seconds)
    return topic === undefined ? tl().slowMode.off : tl().slowMode.asChannel
  }
  const save = async (): Promise<void> => {
    const seconds = chosen ?? current
    if (seconds !== current) {
      await setSlowMode(place, seconds)
      offerUndo(tl().slowMode.changed(title(seconds)), async () => setSlowMode(place, current))
    }
    close()
  }
  const choices = CHOICES.includes(current) ? CHOICES : [...CHOICES, current]
  return (
    <FormDialog title={tl().slowMode.title} action={tl().slowMode.save} save={save} onClose={close}>
      <label class="field">
        <span>
          {tl().slowMode.between(
            placeName(topic === undefined ? { view: 'channel-feed', channelId } : { view: 'topic', channelId, topic }),
          )}
        </span>
        <select
          class="input"
          autofocus
          value={chosen ?? current}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        >
          {choices.map((seconds) => (
            <option key={seconds} value={seconds}>
              {title(seconds)}
            </option>
          ))}
        </select>
        <span class="note">{tl().slowMode.more}</span>
      </label>
    </FormDialog>
  )
}

async function setSlowMode({ channelId, topic }: SlowPlace, seconds: number): Promise<unknown> {
  const input = { stream_id: channelId, seconds }
  return call(SESSION, declared.updateSlowMode, topic === undefined ? input : { ...input, topic })
}
