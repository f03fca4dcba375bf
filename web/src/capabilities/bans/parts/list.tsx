import { call } from '@parley/client'
import { bans as contract } from '@parley/server/contract'
import { useEffect } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { dueTitle } from '../../../kernel/time.ts'
import { sync } from '../../../platform/client.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { EmptyState, LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { userName } from '../../users/state.ts'
import { liftBan } from '../actions.ts'

export function BanList() {
  const fetchBans = async (signal: AbortSignal): Promise<readonly contract.Ban[]> =>
    (await call(SESSION, contract.getBans, {}, { signal })).bans
  const { value, hasFailed, again } = useFetched(fetchBans, 'bans')
  const [refusal, run] = useRefusal()
  useEffect(
    () =>
      sync.listen(({ type }) => {
        if (type === 'bans') again()
      }),
    [],
  )
  if (value === undefined) return hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={3} />
  if (value.length === 0) return <EmptyState icon="lock" title={ta().bans.nobody} more={ta().bans.how} />
  return (
    <div class="form">
      {refusal}
      <ul class="listed" aria-label={ta().bans.title}>
        {value.map((ban) => (
          <li key={ban.user_id} class="listed-row">
            <Avatar userId={ban.user_id} size={24} />
            <bdi class="listed-name">{userName(ban.user_id)}</bdi>
            <span class="note">
              {ta().bans.until(ban.ends_at === null ? tl().bans.untilLifted : dueTitle(ban.ends_at))}
              {ban.banned_by !== null && <> · {ta().bans.by(userName(ban.banned_by))}</>}
              <br />
              <bdi>{ban.reason}</bdi>
            </span>
            <button
              class="button"
              aria-label={ta().bans.liftFor(userName(ban.user_id))}
              onClick={() => void run(async () => liftBan(ban))}
            >
              {ta().bans.lift}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
