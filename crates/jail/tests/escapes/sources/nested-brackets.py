value = @NESTED@
