import { t } from '../../kernel/strings.ts'
import { PersonAbout } from '../../capabilities/users/parts/about.tsx'
import { Files } from './files.tsx'
import { Part } from './part.tsx'
import { PersonRow, ROW_PIXELS } from './person-row.tsx'

export function DirectPart({ userIds }: { readonly userIds: readonly number[] }) {
  const [first = 0] = userIds
  return (
    <>
      <Part title={t().panel.participants}>
        {userIds.length === 1 ? (
          <PersonAbout userId={first} />
        ) : (
          <ul>
            {userIds.map((userId) => (
              <li key={userId} style={{ blockSize: `${ROW_PIXELS}px` }}>
                <PersonRow userId={userId} />
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Files place={{ view: 'direct', userIds }} />
    </>
  )
}
