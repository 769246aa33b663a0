with Ada.Text_IO; use Ada.Text_IO;

procedure Bot is
   function Is_Word (Line, Word : String) return Boolean is
     (Line'Length >= Word'Length and then Line (Line'First .. Line'First + Word'Length - 1) = Word);
begin
   loop
      declare
         Line : constant String := Get_Line;
      begin
         exit when Is_Word (Line, "FINISH");
         if Is_Word (Line, "READY") then
            Put_Line ("OK");
         elsif Is_Word (Line, "TURN") then
            Put_Line ("MOVE -1 -1");
         end if;
      end;
   end loop;
end Bot;
