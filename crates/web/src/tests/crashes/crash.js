function choose(free) {
  return free[9].x;
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line[0] === 'R') console.log('OK');
  if (line[0] === 'T') choose([]);
});
