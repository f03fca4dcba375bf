export const ENGINEERING_CONVERSATIONS = String.raw`
# engineering > offline sync
Tomasz: Offline sync, how it works now, so that we all mean the same thing:
1. The phone keeps its own list of changes, each with an id it chose
2. When it is online it sends them in order
3. The server applies each id **once**, and answers with what it made of it
4. Only then does the phone forget the change
Ada: And when the answer gets lost, it sends again, and 3 makes that harmless. I like it.
Luca: What if two people tick off the same watering?
Tomasz: Then it is watered. Ticking is a fact, not a counter.
Ada: Harvest weights *are* counters, though
Tomasz: Right, those are entries: "2.1 kg on Tuesday by Ada". The sum is computed, never stored.
Samuel: I'll write a test that loses a random third of all answers. It found a lot in my last job.
Samuel: It found one here as well. Losing the answer to the *first* change of a session made the second arrive before it:

~~~text
sent   a1 (water bed 4)      answer lost
sent   a2 (harvest bed 4)    applied
resent a1                    applied, after a2
~~~
Tomasz: Ordering bug, mine. The queue moved on without waiting for a1. Fixed:

~~~typescript
for (const change of queue) {
  // The next change may depend on this one, so wait for the response.
  await retrying(() => api.apply(change))
  await queue.forget(change.id)
}
~~~
Samuel: 10,000 rounds, nothing lost, nothing doubled. I'll let it run overnight anyway.
Ada: Good morning, and?
Samuel: 1.3 million rounds. Clean. :tada:

# engineering > slow query on the diary
Ada: The diary takes two seconds for Linden Street. They have 11,000 entries.
Tomasz: Looking.

~~~sql
explain analyze
select * from diary_entries
where garden_id = 812
order by happened_on desc
limit 50;
~~~
Tomasz: It sorts all 11,000 to give us 50. There is an index on the garden, but not one that also has the date.
Luca: Classic.
Tomasz: With (garden_id, happened_on desc): **1,900 ms → 3 ms**. Built concurrently on production, nobody noticed.
Ada: I noticed! It is *instant* now.
Ines: Linden Street just wrote to Priya to ask what we did. They are very happy.

# engineering > start time on old phones
Ada: Where the 5.1 seconds go on the oldest phone we support:

| Part | ms |
|---|---:|
| Loading the bundle | 1,900 |
| Opening the database | 1,200 |
| First paint | 900 |
| Fonts | 700 |
| Everything else | 400 |
Luca: 700 for *fonts*?
Ada: Six weights of two families. We use three.
Kenji: Guilty. Take regular and bold, the rest was vanity.
Luca: The bundle contains all translations. Splitting by language saves 600 kB.
Ada: After both: **2.8 s**. Next is the database, it opens twice for some reason.
Ada: It opened twice because two screens each thought they were the first. Now they ask. 1.9 s!
Samuel: There's the 1 in front. :rocket:
Tomasz: Beautiful work.

# engineering > code review
Luca: Could somebody look at [the rota printout](https://plotbook.example/code/482)? 120 lines, half of them tests.
Ada: On it after lunch
Ada: Reviewed. Two small things, one question: why is the page size a constant?
Luca: Because nobody has asked for anything but A4 yet. When somebody does it becomes a parameter.
Ada: Fair. Approved!
Tomasz: Reminder for all of us, me included: reviews within a day, please. Three have been waiting since Tuesday.
Samuel: Took two of them.
Luca: Took the third.

# engineering > flaky test
Samuel: ${'`'}rota.test.ts${'`'} failed again on main, only at night.
Luca: Only at night? Is it afraid of the dark?
Samuel: It computes "tomorrow" twice, once before midnight and once after.
Tomasz: Of course it does. Let us pass the clock in, as everywhere else:

~~~diff
-const due = tomorrow()
+const due = tomorrow(clock.now())
~~~
Samuel: Merged. Failed 14 times in October, 0 times since.

# engineering > backups
Freya: The yearly question, for the insurance: when did we last *restore* a backup?
Tomasz: Every Sunday, automatically, into a fresh database, and the counts are compared. Last one: 4 minutes, all equal.
Freya: That is a much better answer than last year
Tomasz: Last year's answer was my motivation

# engineering > license of the map tiles
Luca: The map tiles need an attribution *on* the map, not just in the settings. We have it only in the settings.
Ines: Then let us put it on the map today. It is their work.
Luca: Done: small, bottom right, links to the project.
Hannah: I also added them to the thank-you page

# releases > production
Deploy: **web 4.18.0** is live. 12 changes, took 48 s.
Deploy: **api 2.31.4** is live. 3 changes, took 61 s.
Luca: That was the diary index and the attribution on the map
Deploy: **api 2.31.5** was rolled back automatically: error rate 2.1 % (limit 0.5 %).
Tomasz: Mine. A migration expected a column that comes one release later. Fixing the order.
Deploy: **api 2.31.6** is live. 1 change, took 58 s.
Tomasz: All calm. What went wrong and why nobody noticed: the old servers kept serving during the 40 seconds, as they should.
Freya: Thank you for the write-up :thumbs_up:
Deploy: **web 4.18.1** is live. 2 changes, took 45 s.
Deploy: **android 5.2.0** is in the store, rolled out to 10 %.
Ada: Watching the crash numbers
Deploy: **android 5.2.0** rolled out to 50 %.
Ada: Crash-free 99.7 %. Going to everyone tomorrow.
Deploy: **android 5.2.0** rolled out to 100 %.

# releases > nightly tests
Deploy: Nightly tests of main: 1,412 passed, 0 failed, 6:12 minutes.
Deploy: Nightly tests of main: 1,412 passed, 1 failed (${'`'}rota.test.ts${'`'}), 6:09 minutes.
Samuel: The one that is afraid of the dark. See #**engineering>flaky test**.
Deploy: Nightly tests of main: 1,431 passed, 0 failed, 6:20 minutes.
Deploy: Nightly tests of main: 1,431 passed, 0 failed, 6:18 minutes.

# support > new tickets
Tickets: **#2231** from La Huerta Alta: *The children cannot find the diary.* Assigned to @**Priya Raman**.
Priya: The school's tablets have a very old browser. Sent them the link that works there, and noted it for the help pages.
Tickets: **#2232** from Harbour Plots: *The app thinks we are in the sea.* Assigned to @**Tomasz Nowak**.
Tomasz: Their pier is newer than our map. Updated the map, and added a button "No, we are here".
Priya: They replied: "Now we are on land. Thank you!"
Tickets: **#2233** from Linden Street: *Can two people share a bed?* Assigned to @**Priya Raman**.
Priya: Number 38. Told them: in January.
Tickets: **#2234** from Hillside Gardens: *Photos arrive upside down.* Assigned to @**Ada Okafor**.
Ada: One phone maker writes the orientation in a place of its own. Fixed in the next version.
Tickets: **#2235** from a gardener in Porto: *Obrigada! The rota prints beautifully now.* Nobody needs to do anything.
Luca: :heart:

# support > help pages
Priya: Which help page is read most? "How do I change my password", 900 times a month. Could the app just say it?
Kenji: A link right under the password field, yes.
Luca: In the next web release.
Priya: Down to 210 a month. That is 690 people who did not have to search!

# support > saved answers
Priya: My most used answers, take what you need:
~~~spoiler "I cannot log in"
Hello! Please check first whether the address is the one your garden invited.
If it is, this link sends you a new password: https://plotbook.example/reset
~~~
~~~spoiler "Is my data safe?"
Hello! Your diary is yours: you can export all of it at any time, and we delete it when you ask us to.
~~~
Hannah: These are so warm. May I use the second one on the privacy page?
Priya: Of course!
`
