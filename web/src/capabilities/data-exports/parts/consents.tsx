import { ta } from '../../../kernel/administration.ts'
import { Failed, Waiting } from '../../../platform/list/states.tsx'
import { userName } from '../../users/state.ts'
import { useConsents } from '../actions.ts'

export function Consents() {
  const { value: all, hasFailed, again } = useConsents()
  if (all === undefined) return hasFailed ? <Failed again={again} /> : <Waiting rows={1} />
  const names = all
    .filter(({ consented }) => consented)
    .map(({ user_id: id }) => ({ id, name: userName(id) }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <details>
      <summary>{ta().exports.consenting(names.length, all.length)}</summary>
      <ul class="listed" aria-label={ta().exports.consents}>
        {names.map(({ id, name }) => (
          <li key={id} class="listed-row">
            <bdi class="listed-name">{name}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}
