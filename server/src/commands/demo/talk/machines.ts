/** Posted by bots while the demo runs, repeatedly and in any order. Format: see ../play.ts. */
export const BOT_CONVERSATIONS = String.raw`
# releases > production
Deploy: **web 4.19.0** is live. 9 changes, took 46 s.

# releases > production
Deploy: **api 2.32.1** is live. 2 changes, took 59 s.
Tomasz: That was the shorter patience with the weather

# releases > production
Deploy: **api 2.32.2** was rolled back automatically: 95 % of answers within 410 ms (limit 300 ms).
Tomasz: It asks for every bed one by one. Mine, mending it.
Deploy: **api 2.32.3** is live. 1 change, took 60 s.

# releases > production
Deploy: **android 5.2.1** is in the store, rolled out to 10 %.
Ada: Watching the crash numbers

# releases > nightly tests
Deploy: Tests of main: 1,431 passed, 0 failed, 6:11 minutes.

# releases > nightly tests
Deploy: Tests of main: 1,430 passed, 1 failed (${'`'}calendar.test.ts${'`'}), 6:14 minutes.
Samuel: Looking
Deploy: Tests of main: 1,431 passed, 0 failed, 6:12 minutes.

# support > new tickets
Tickets: **#2236** from Linden Street: *The frost warning came at four in the morning.* Assigned to @**Priya Raman**.
Priya: So did the frost! Showed them where to choose the hour.

# support > new tickets
Tickets: **#2237** from Harbour Plots: *Can we print the rota larger?* Assigned to @**Luca Bianchi**.
Luca: Next version: as large as the paper

# support > new tickets
Tickets: **#2238** from a gardener in Ghent: *The snail made my daughter laugh.* Nobody needs to do anything.

# support > waiting
Tickets: 4 tickets are open, none is older than a day.
Priya: :tada:
`
